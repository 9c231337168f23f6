import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

// Talks to the bot of a running service in a terminal: `yarn bot:console`.

const DEFAULT_URL = 'http://localhost:8080';
/** The key in app-config.yaml; rejected in production. */
const DEVELOPMENT_KEY = 'dev-automation-key';
const TIMEOUT_MS = 10_000;

async function say(
  text: string,
  options: { url: string; key: string; user: string },
): Promise<string> {
  const response = await fetch(`${options.url}/api/v1/bot/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': options.key },
    body: JSON.stringify({ text, user: { id: options.user } }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = (await response.json()) as {
    reply?: string;
    error?: { message: string };
  };
  return (
    body.reply ??
    body.error?.message ??
    `The service answered ${response.status}`
  );
}

async function talk(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: DEFAULT_URL },
      key: {
        type: 'string',
        default: process.env.FEEDBACK_API_KEY ?? DEVELOPMENT_KEY,
      },
      user: { type: 'string', default: process.env.USER ?? 'console' },
    },
  });
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
    prompt: 'you> ',
  });
  // Piped input ends before the answer to its last line.
  let isOpen = true;
  terminal.once('close', () => {
    isOpen = false;
  });
  const prompt = () => isOpen && terminal.prompt();
  process.stdout.write('Say something, or: status, help. Ctrl-D ends.\n');
  prompt();
  for await (const line of terminal) {
    try {
      const reply = await say(line.replace(/^@feedback\b:?/, ''), values);
      process.stdout.write(`${reply}\n`);
    } catch {
      process.stdout.write(
        `The service is not responding at ${values.url}. Start the service: ./slipway dev\n`,
      );
    }
    prompt();
  }
}

void talk();
