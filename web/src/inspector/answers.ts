// What the side that asks makes of a world's answers: conditions, why a system does not track an entity, and which values are not recorded.
import { present } from "./json.js";
import { failure, optional, pageOf } from "./members.js";
import type {
  AnyAnswer,
  AskRequest,
  ClassAnswer,
  ColumnRequest,
  EntityAnswer,
  EntityDetails,
  Failure,
  InspectAnswer,
  InspectAnswers,
  InspectRequest,
  SystemAnswer,
  TrackingAnswer,
} from "./protocol.js";
import { parseWhere, tester } from "./where.js";

type Ask<A extends AskRequest["ask"]> = Extract<AskRequest, { readonly ask: A }>;
type Request = InspectRequest | { readonly ask?: unknown };

/** Yields what the world is to be asked, is resumed with its answers, and returns an answer. */
export type Asking<T> = Generator<readonly Request[], T, readonly AnyAnswer[]>;

/** A request failed, and so does what needs it. */
class Refused extends Error {
  constructor(readonly answer: Failure) {
    super();
  }
}
function* ask<const R extends readonly AskRequest[]>(...requests: R): Asking<{ [K in keyof R]: InspectAnswer<R[K]> }> {
  const answers = yield requests;
  for (const answer of answers) if ("error" in answer) throw new Refused(answer);
  return answers as { [K in keyof R]: InspectAnswer<R[K]> };
}

/** Answers a request by what a world answers. */
export function* answer(request: unknown): Asking<AnyAnswer> {
  try {
    const { do: order, ask: question, where } = Object(request) as Record<string, unknown>;
    if (order === undefined && question === "entities" && where !== undefined)
      return yield* search(request as Ask<"entities">);
    if (order === undefined && question === "entity") return yield* details(request as Ask<"entity">);
    if (order === undefined && question === "why") return yield* why(request as Ask<"why">);
    return (yield [request as Request])[0];
  } catch (error) {
    return error instanceof Refused ? error.answer : failure(error);
  }
}

/** Answers several requests, each of whose rounds are one message. */
export function* answerAll(requests: readonly unknown[]): Asking<readonly AnyAnswer[]> {
  const all = requests.map((request) => ({ asking: answer(request), next: undefined as Next | undefined }));
  for (const each of all) each.next = each.asking.next();
  for (;;) {
    const waiting = all.filter(({ next }) => !next!.done);
    if (waiting.length === 0) return all.map(({ next }) => next!.value as AnyAnswer);
    const answers = yield waiting.flatMap(({ next }) => next!.value as readonly Request[]);
    let at = 0;
    for (const each of waiting) {
      const { length } = each.next!.value as readonly Request[];
      each.next = each.asking.next(answers.slice(at, (at += length)));
    }
  }
}
type Next = IteratorResult<readonly Request[], AnyAnswer>;

// --- conditions ---------------------------------------------------------------------------------------

/** All entities. */
const ALL: ColumnRequest = { ask: "column" };

function* search(request: Ask<"entities">): Asking<InspectAnswers["entities"]> {
  const { where, ...others } = request;
  const [from, count] = pageOf(others);
  const text = optional("entities: where", "string", where)!;
  const [{ classes }, { systems }] = yield* ask({ ask: "classes" }, { ask: "systems" });
  const conditions = parseWhere(text, classes, systems);
  if (conditions.length === 0) return (yield* ask(others))[0];
  const leading = conditions.findIndex(({ negated, column }) => !negated && column !== undefined);
  const columns = yield* ask(...conditions.flatMap(({ column }) => column ?? []), ...(leading < 0 ? [ALL] : []));
  let next = 0;
  const of = conditions.map(({ column }) => (column === undefined ? undefined : columns[next++]));
  const tests = conditions.map((each, i) => tester(each, of[i]));
  const found = (of[leading] ?? columns.at(-1)!).entities.filter((e) => tests.every((fits) => fits(e)));
  const [{ entities }] = yield* ask({ ask: "entities", of: found.slice(from, from + count) });
  return { total: found.length, from, entities };
}

// --- one entity ---------------------------------------------------------------------------------------

function* details(request: Ask<"entity">): Asking<EntityDetails> {
  const [entity, { systems }] = yield* ask(request, { ask: "systems" });
  const tracking = entity.tracking.map((each) => {
    const system = systems.find(({ name }) => name === each.system);
    return each.tracked || system === undefined ? each : { ...each, ...reasonOf(system, entity) };
  });
  return { ...entity, tracking };
}
/** Why a system does not track an entity. */
function reasonOf(system: SystemAnswer, { components }: EntityAnswer): Partial<TrackingAnswer> {
  if (system.usesNone) return { usesNone: true };
  const has = (name: string): boolean => components.includes(name);
  const some = (names: readonly string[]) => (names.length > 0 ? names : undefined);
  return present({
    missing: some(system.required.filter((name) => !has(name))),
    excluded: some(system.excluded.filter(has)),
    noneOf: system.any.some(has) ? undefined : some(system.any),
    usesNone: system.required.length + system.any.length === 0 || undefined,
  });
}

function* why(request: Ask<"why">): Asking<InspectAnswers["why"]> {
  const [changes, { entities }, { classes }, { systems }] = yield* ask(
    request,
    { ask: "entities", of: [request.entity] },
    { ask: "classes" },
    { ask: "systems" },
  );
  const isRecorded = ({ name, recorded }: ClassAnswer): boolean =>
    recorded === true ||
    name === "Parent" ||
    systems.some(({ watched, ancestors }) => watched.includes(name) || ancestors.includes(name));
  const hasValues = ({ kind, fields }: ClassAnswer): boolean => kind === "object" || fields.length > 0;
  const unwatched = classes.filter(
    (cls) => entities[0]?.components.includes(cls.name) && hasValues(cls) && !isRecorded(cls),
  );
  return { ...changes, unwatched: unwatched.map(({ name }) => name) };
}
