import type { Entry, Project } from "./project.js";

/** A line of the table in docs/environments.md. */
export interface Environment {
  name: string;
  /** The npm package whose version the table shows; otherwise the version. */
  version: string;
  /** What has to be done, in Markdown, for an entry or for both, and the message without it. */
  needs?: { entry?: Entry; text: string; message: RegExp };
  /** The entries, if not both. */
  entries?: Entry[];
  /** Runs the example in a new project, with what it needs or without; resolves with what it prints. */
  run(project: Project, entry: Entry, fixed: boolean): Promise<string[]> | string[];
  /** Ends what runs share. */
  dispose?(): Promise<void>;
}
