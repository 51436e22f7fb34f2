// Keeps a save in the browser.
const NAME = "crate-room";
const STORE = "saves";
const KEY = "quick";

function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1);
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no database"));
  });
}
/** Resolves with the result when the transaction is complete. */
async function request<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await opened();
  try {
    const transaction = database.transaction(STORE, mode);
    const used = use(transaction.objectStore(STORE));
    await new Promise<unknown>((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error("no space"));
    });
    return used.result;
  } finally {
    database.close();
  }
}

/**
 * The save of the room. IndexedDB throws or fails in sandboxed frames, where the user has blocked it, and if there is no space: then
 * the save is kept in memory.
 */
export class SaveStore {
  /** What the browser did not keep. */
  #forThisVisit: Uint8Array | undefined;

  /** Returns false if the browser keeps nothing for this page: then the save exists until the page is closed. */
  async write(bytes: Uint8Array): Promise<boolean> {
    this.#forThisVisit = bytes;
    try {
      await request("readwrite", (store) => store.put(bytes, KEY));
      this.#forThisVisit = undefined;
      return true;
    } catch {
      return false;
    }
  }
  /** The last save, or undefined if there is none. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#forThisVisit !== undefined) return this.#forThisVisit;
    try {
      return await request<Uint8Array | undefined>("readonly", (store) => store.get(KEY));
    } catch {
      return undefined;
    }
  }
}
