import { TOKENS } from './servers.ts';

const FLAGS = '/api/admin/projects/default/features';
const PARALLEL = 8;

/** Creates a range of numbered flags as an admin. Each is rolled out to half of the users. */
export async function createBenchFlags(
  url: string,
  from: number,
  to: number,
): Promise<void> {
  const send = async (path: string, body?: object) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: TOKENS.admin,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    if (!response.ok) {
      throw new Error(`${path}: ${response.status}`);
    }
  };
  let next = from;
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      while (next < to) {
        const name = `flag-${String(next++).padStart(5, '0')}`;
        const path = `${FLAGS}/${name}/environments/development`;
        await send(FLAGS, { name, description: `Switches ${name}` });
        await send(`${path}/strategies`, {
          name: 'flexibleRollout',
          parameters: { rollout: '50', stickiness: 'default', groupId: name },
        });
        await send(`${path}/on`);
      }
    }),
  );
}
