// Keeps a save in the browser.
const NAME = "crate-room";
const STORE = "saves";
const KEY = "quick";

/** The result of a request to IndexedDB. */
const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB failed"));
  });

// IndexedDB throws, or a request fails, in sandboxed frames, and where the user has blocked it.
async function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const database = await done(request);
  try {
    return await done(use(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

export class SaveStore {
  /** What the browser did not keep. */
  #forThisVisit: Uint8Array | undefined;

  /** Returns false if the browser keeps nothing for this page: then the save exists until the page is closed. */
  async write(bytes: Uint8Array): Promise<boolean> {
    this.#forThisVisit = bytes;
    try {
      await withStore("readwrite", (store) => store.put(bytes, KEY));
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
      return await withStore<Uint8Array | undefined>("readonly", (store) => store.get(KEY));
    } catch {
      return undefined;
    }
  }
}
