import { Query } from "../ecs/query.js";
import { Rows } from "../ecs/rows.js";
import { Storage } from "../ecs/storage.js";
import { Lent, checkCursors, isReused } from "./lent.js";
import { replace } from "./replace.js";

const ADVANCED = "the loop has advanced";
const ENDED = "the loop has ended";
const AGAIN = "at() or first() was called again";

/** By row, query and storage. */
const known = new WeakMap<object, Lent>();

/** An iteration, and what it hands out after its first step. */
type Iterating = Rows<object> & { $lent?: Lent };

function lend(rows: Iterating, row: object): Lent {
  let lent = known.get(row);
  if (lent === undefined) known.set(row, (lent = new Lent(row)));
  return (rows.$lent = lent);
}
function end(rows: Iterating, why: string): void {
  rows.$lent?.end(why);
  rows.$lent = undefined;
}

function checkLoops(): void {
  replace(
    Rows.prototype,
    "next",
    (next) =>
      function (this: Iterating) {
        next.call(this);
        const { $result } = this;
        if ($result.done) {
          end(this, ADVANCED);
        } else {
          const lent = this.$lent ?? lend(this, $result.value!);
          lent.end(ADVANCED);
          $result.value = lent.take();
        }
        return $result;
      },
  );
  replace(
    Rows.prototype,
    "return",
    (finish) =>
      function (this: Iterating) {
        end(this, ENDED);
        return finish.call(this);
      },
  );
}

function checkAt(prototype: Pick<Query, "at">): void {
  /** What the first call of a query or storage hands out. */
  const lendFirst = (of: object, found: object): object => {
    if (found === known.get(of)?.current) return found; // the first call of a query calls itself
    if (!(of instanceof Query || isReused(found))) return found; // an object component
    const lent = new Lent(found);
    known.set(of, lent);
    return lent.take();
  };
  replace(
    prototype,
    "at",
    (at) =>
      function (e) {
        const lent = known.get(this);
        lent?.end(AGAIN);
        const found = at.call(this, e) as object | undefined;
        if (found === undefined || found !== lent?.real) return found && lendFirst(this, found);
        return lent.take();
      },
  );
}

/** Using a row or cursor too late is an error (rules Q3, Q6). */
export function checkRows(): void {
  checkCursors();
  checkLoops();
  checkAt(Query.prototype as Query);
  checkAt(Storage.prototype as unknown as Query);
}
