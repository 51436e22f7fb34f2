export const quietFlags: string[];
export const softwareFlags: string[];
