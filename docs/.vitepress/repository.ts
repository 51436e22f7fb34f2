export const repository = "https://github.com/crateful/crateful";
