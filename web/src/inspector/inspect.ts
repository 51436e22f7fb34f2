import type { ECS } from "../ecs/ecs.js";
import { ECS as EcsClass } from "./internals.js";
import { inspectionOf } from "./inspection.js";
import type { InspectAnswer, InspectAnswers, InspectRequest } from "./protocol.js";
import { connect, type InspectorPort } from "./transport.js";

/**
 * Answers a request of the inspector's protocol (rule I1): a question about the world, or something to do. Both are JSON;
 * docs/inspector.md describes them. A list of requests has a list of answers. It does not throw for a request: the answer to one that
 * fails is `{ error: { code, message } }`. With a connection in place of the ECS, to one at whose other end `serveInspector` or a native
 * program answers, it returns a promise of the answer. Throws `BAD_ARGUMENT` if the first argument is neither.
 *
 *     inspect(ecs, { ask: "entities", where: "Health.hp < 10" });
 *     inspect(ecs, { do: "set", entity, component: "Health", field: "hp", value: 3 });
 *     await inspect(worker, { ask: "world" });
 */
export function inspect<const R extends InspectRequest>(
  ecs: ECS,
  request: R,
): InspectAnswer<R> | InspectAnswers["failure"];
export function inspect<const R extends readonly InspectRequest[]>(
  ecs: ECS,
  requests: R,
): { [K in keyof R]: InspectAnswer<R[K]> | InspectAnswers["failure"] };
export function inspect<const R extends InspectRequest>(
  port: InspectorPort,
  request: R,
): Promise<InspectAnswer<R> | InspectAnswers["failure"]>;
export function inspect<const R extends readonly InspectRequest[]>(
  port: InspectorPort,
  requests: R,
): Promise<{ [K in keyof R]: InspectAnswer<R[K]> | InspectAnswers["failure"] }>;
export function inspect(target: ECS | InspectorPort, request: unknown): unknown {
  if (target instanceof EcsClass) return inspectionOf("inspect", target).inspect(request);
  const { ask, end } = connect("inspect", target);
  const answers = ask((Array.isArray(request) ? request : [request]) as InspectRequest[]).finally(end);
  return answers.then((all) => (Array.isArray(request) ? all : all[0]));
}
