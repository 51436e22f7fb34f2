// The pinned versions of the libraries.
import manifest from "../package.json" with { type: "json" };

export const versions = manifest.devDependencies;
