// Asks the world what the visible views show.
import type { AnyAnswer, AskRequest, Failure, InspectAnswer, InspectRequest } from "../protocol.js";
import type { AskWorld } from "../transport.js";

/** Milliseconds between two questions about the same, at least. */
export const POLL = 250;
/** After so many milliseconds without an answer, the panel says so. */
const PATIENCE = 3000;

/** A question that a view asks again and again. */
interface Question {
  readonly request: AskRequest;
  readonly every: number;
  readonly listeners: Set<(answer: AnyAnswer) => void>;
  due: number;
  text: string;
  answer: AnyAnswer | undefined;
}

/** Collects the questions of all views, and asks them in one message. */
export class Client {
  readonly #ask: AskWorld;
  readonly #questions = new Map<string, Question>();
  #timer: number | undefined;
  #timerDue = 0;
  #waitsSince = 0;
  #ended = false;
  /** Whether the panel can be seen. Set by the panel; while it is false, nothing is asked. */
  visible: () => boolean = () => true;
  /** Called when the world stops to answer, or answers again. */
  onSilence: (silent: boolean) => void = () => {};
  #silent = false;

  constructor(ask: AskWorld) {
    this.#ask = ask;
  }

  /** Asks every so many milliseconds; calls `listener` when the answer differs from the one before. Returns what ends it. */
  watch<R extends AskRequest>(
    request: R,
    every: number,
    listener: (answer: InspectAnswer<R> | Failure) => void,
  ): () => void {
    const key = JSON.stringify(request);
    const question = this.#questions.get(key) ?? {
      ...{ request, every, listeners: new Set(), due: 0, text: "", answer: undefined },
    };
    this.#questions.set(key, question);
    const call = listener as (answer: AnyAnswer) => void;
    question.listeners.add(call);
    if (question.answer !== undefined) call(question.answer);
    else this.soon();
    return () => {
      question.listeners.delete(call);
      if (question.listeners.size === 0) this.#questions.delete(key);
    };
  }
  /** Asks once, or does something. When it resolves, the answers to all questions are those afterwards: no view still shows what was before. */
  async send<R extends InspectRequest>(request: R): Promise<InspectAnswer<R> | Failure> {
    const [answer] = await this.#exchange(this.visible() ? [...this.#questions.values()] : [], request);
    return answer as InspectAnswer<R> | Failure;
  }
  /** Asks what is due without delay. */
  soon(): void {
    this.#schedule(0);
  }
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #schedule(delay: number): void {
    const due = performance.now() + delay;
    if (this.#ended || (this.#timer !== undefined && this.#timerDue <= due)) return;
    clearTimeout(this.#timer);
    this.#timerDue = due;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#tick();
    }, delay) as unknown as number;
  }
  async #tick(): Promise<void> {
    this.#schedule(POLL);
    const now = performance.now();
    this.#setSilent(this.#waitsSince > 0 && now - this.#waitsSince > PATIENCE);
    if (this.#waitsSince > 0 || !this.visible()) return;
    const due = [...this.#questions.values()].filter((question) => question.due <= now + 1);
    if (due.length === 0) return;
    this.#waitsSince = now;
    await this.#exchange(due);
    this.#waitsSince = 0;
    this.#setSilent(false);
    if ([...this.#questions.values()].some((question) => question.answer === undefined)) this.soon();
  }
  /** Sends requests and questions in one message. Calls the listeners of the questions, and returns the answers to the requests. */
  async #exchange(questions: readonly Question[], ...first: readonly InspectRequest[]): Promise<readonly AnyAnswer[]> {
    const now = performance.now();
    for (const question of questions) question.due = now + question.every;
    const answers = await this.#ask([...first, ...questions.map(({ request }) => request)]);
    if (this.#ended) return answers;
    questions.forEach((question, i) => {
      const answer = answers[first.length + i];
      const text = JSON.stringify(answer);
      if (text === question.text) return;
      question.text = text;
      question.answer = answer;
      for (const listener of question.listeners) listener(answer);
    });
    return answers;
  }
  #setSilent(silent: boolean): void {
    if (silent === this.#silent) return;
    this.#silent = silent;
    this.onSilence(silent);
  }
}

export const failed = (answer: object | undefined): answer is Failure => answer !== undefined && "error" in answer;
