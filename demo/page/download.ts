// Downloads a WebAssembly module, compiles it during the download, and reports the progress.

/** Called with the downloaded share, from 0 to 1, or undefined if the total size is not known. */
export type Progress = (share: number | undefined) => void;

async function fetchCounted(url: string, progress: Progress): Promise<Response> {
  const response = await fetch(url, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${url}: the server answered ${response.status} ${response.statusText}`.trim());
  if (response.body === null) return response;
  // Content-Length is the compressed size, but the stream yields uncompressed bytes, so the share is not known then.
  const compressed = response.headers.get("Content-Encoding") !== null;
  const total = compressed ? Number.NaN : Number(response.headers.get("Content-Length") ?? Number.NaN);
  let read = 0;
  progress(total > 0 ? 0 : undefined);
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        read += chunk.byteLength;
        progress(total > 0 ? Math.min(1, read / total) : undefined);
        controller.enqueue(chunk);
      },
    }),
  );
  // Some servers send another content type, which instantiateStreaming would reject.
  return new Response(counted, { headers: { "content-type": "application/wasm" } });
}

/** Downloads and instantiates the module at that address. */
export async function instantiate(
  url: string,
  imports: WebAssembly.Imports,
  progress: Progress,
): Promise<WebAssembly.Instance> {
  try {
    return (await WebAssembly.instantiateStreaming(fetchCounted(url, progress), imports)).instance;
  } catch (problem) {
    // Downloading an invalid module again would not help. Other errors may be caused by streaming.
    if (problem instanceof WebAssembly.CompileError || problem instanceof WebAssembly.LinkError) throw problem;
    console.info("WebAssembly could not be compiled during the download; downloading it as a whole", problem);
    const whole = await (await fetchCounted(url, progress)).arrayBuffer();
    return (await WebAssembly.instantiate(whole, imports)).instance;
  }
}
