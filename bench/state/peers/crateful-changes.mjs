// Crateful: everything, as `Changes` sends it to a new receiver.
import { fullByChanges } from "./crateful.mjs";

export const pairs = { full: fullByChanges };
