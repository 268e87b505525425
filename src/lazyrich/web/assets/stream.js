// Server-sent events read with fetch: refusals come with their message, and aborting closes the connection.

/** Calls on[kind](data) for each event of an address until it ends; rejects with the server's message. */
export async function follow(address, on, { signal, method = "GET" } = {}) {
  const answer = await fetch(address, { method, signal, headers: { accept: "text/event-stream" } });
  if (!answer.ok) throw new Error(await message(answer));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const parts = text.split("\n\n");
    text = parts.pop();
    for (const part of parts) {
      const found = /^event: (\w+)\ndata: (.*)$/s.exec(part);
      if (found && on[found[1]]) on[found[1]](JSON.parse(found[2]));
    }
  }
}

/** What a refusal says. */
export async function message(answer) {
  try {
    return (await answer.clone().json()).message;
  } catch (_) {
    return (await answer.text()).slice(0, 300) || `The server answered ${answer.status}.`;
  }
}
