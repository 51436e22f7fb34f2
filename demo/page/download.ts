// Fetches a WebAssembly module and compiles it while it comes, telling how much of it is there.

/** Hears a share from 0 to 1, or undefined where the server does not say how much there is. */
export type Progress = (share: number | undefined) => void;

async function fetchCounted(url: string, progress: Progress): Promise<Response> {
  const response = await fetch(url, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${url}: the server answers ${response.status} ${response.statusText}`.trim());
  if (response.body === null) return response;
  // Of a compressed answer the length is that of the compressed bytes, but those that come out are counted.
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
  // Servers that know no better send another type, and compiling would refuse it.
  return new Response(counted, { headers: { "content-type": "application/wasm" } });
}

/** The instance of the module at that address. */
export async function instantiate(
  url: string,
  imports: WebAssembly.Imports,
  progress: Progress,
): Promise<WebAssembly.Instance> {
  try {
    return (await WebAssembly.instantiateStreaming(fetchCounted(url, progress), imports)).instance;
  } catch (problem) {
    // A module that is no good stays so; anything else may be the fault of the streaming.
    if (problem instanceof WebAssembly.CompileError || problem instanceof WebAssembly.LinkError) throw problem;
    console.info("WebAssembly could not be compiled while it came; fetching it as a whole", problem);
    const whole = await (await fetchCounted(url, progress)).arrayBuffer();
    return (await WebAssembly.instantiate(whole, imports)).instance;
  }
}
