// Server-sent events read with fetch: an error response rejects with its message, and aborting closes the connection.

/** Calls handlers[kind](data) for each event of a URL until the stream ends; rejects with the message of the server. */
export async function readStream(url, handlers, { signal, method = "GET" } = {}) {
  const response = await fetch(url, { method, signal, headers: { accept: "text/event-stream" } });
  if (!response.ok) throw new Error(await errorMessage(response));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const match = /^event: (\w+)\ndata: (.*)$/s.exec(block);
      if (match && handlers[match[1]]) handlers[match[1]](JSON.parse(match[2]));
    }
  }
}

/** The message of an error response. */
export async function errorMessage(response) {
  try {
    return (await response.clone().json()).message;
  } catch (_) {
    return (await response.text()).slice(0, 300) || `The server answered ${response.status}.`;
  }
}
