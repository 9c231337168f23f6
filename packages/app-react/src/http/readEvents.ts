/** Silence after which a connection is lost: servers send at least a comment every 25 seconds. */
const SILENCE_MS = 60_000;

/**
 * Reads the data of server-sent events, one after the other, until the response ends or has been
 * silent for so long that the connection must be lost, which browsers do not detect.
 *
 * @param body - of a response with the content type `text/event-stream`.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<string> {
  if (!body) {
    return;
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const value = await readSoon(reader);
      if (!value) {
        return;
      }
      const events = (text + decoder.decode(value, { stream: true })).split(
        '\n\n',
      );
      text = events.pop() ?? '';
      for (const event of events) {
        const [, data] = /^data: (.*)$/m.exec(event) ?? [];
        if (data !== undefined) {
          yield data;
        }
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Reads the next bytes. @returns undefined at the end, or after too long a silence. */
async function readSoon(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<Uint8Array | undefined> {
  let timer = 0;
  const silence = new Promise<undefined>(resolve => {
    timer = window.setTimeout(resolve, SILENCE_MS);
  });
  try {
    return (await Promise.race([reader.read(), silence]))?.value;
  } finally {
    clearTimeout(timer);
  }
}
