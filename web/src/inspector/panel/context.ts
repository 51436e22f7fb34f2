// What all views share.
import type { AskRequest, DoRequest, DoneAnswer, Failure, InspectAnswer, WorldAnswer } from "../protocol.js";
import { POLL, failed, type Client } from "./client.js";
import { useEffect, useRef, useRoot, useState } from "./render.js";

/** The views, in the order of their tabs. */
export type Tab = "Systems" | "Entities" | "Why" | "Rewind" | "Frames" | "Events" | "Memory";

/** What the views show. */
export interface View {
  readonly tab: Tab;
  /** The entity that is shown. */
  readonly entity: number | undefined;
  /** The conditions of the search. */
  readonly where: string;
  readonly expanded: readonly number[];
  readonly pinned: readonly number[];
  /** Of `Why`: the system whose changes are shown, in place of those of the entity. */
  readonly bySystem: string | undefined;
}

export interface Panel {
  readonly client: Client;
  readonly world: WorldAnswer | undefined;
  readonly view: View;
  readonly show: (change: Partial<View>) => void;
  readonly openSource: ((place: string) => void) | undefined;
  /** Shows a message: an error, or what was done. */
  readonly say: (message: string | undefined, isError?: boolean) => void;
}

export const usePanel = (): Panel => useRoot().shared as Panel;

/** The last answer to a question, which is asked as long as the component exists. */
export function useAsk<R extends AskRequest>(
  client: Client,
  request: R | undefined,
  every = POLL,
): InspectAnswer<R> | Failure | undefined {
  const [answer, setAnswer] = useState<InspectAnswer<R> | Failure>();
  const key = request && JSON.stringify(request);
  useEffect(() => {
    if (request !== undefined) return client.watch(request, every, setAnswer);
    setAnswer(undefined);
  }, [client, key, every]);
  return request === undefined ? undefined : answer;
}
/** As `useAsk`, without failures: while there is one, the answer is the last one. */
export function useAnswer<R extends AskRequest>(
  client: Client,
  request: R | undefined,
  every = POLL,
): InspectAnswer<R> | undefined {
  const answer = useAsk(client, request, every);
  const last = useRef<InspectAnswer<R> | undefined>(undefined);
  if (answer !== undefined && !failed(answer)) last.current = answer as InspectAnswer<R>;
  return request === undefined ? undefined : last.current;
}

/** Does something; errors are shown. Returns the answer, or undefined if it failed. */
export function useDo(): (request: DoRequest) => Promise<DoneAnswer | undefined> {
  const { client, say } = usePanel();
  return async (request) => {
    const answer = await client.send(request);
    say(failed(answer) ? answer.error.message : undefined, true);
    return failed(answer) ? undefined : answer;
  };
}
