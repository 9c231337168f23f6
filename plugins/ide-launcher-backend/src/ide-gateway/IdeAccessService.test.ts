import { aWorkspace } from '../__testUtils__/workspaces';
import { openStore } from '../workspaces/__testUtils__/openStore';
import { IdeGrantStore } from './storage/IdeGrantStore';
import { IdeAccessService } from './IdeAccessService';
import { IdeAddresses } from './ideRoutes';
import { workspaceDatabases } from '../workspaces/__testUtils__/workspaceDatabases';

const databases = workspaceDatabases(['SQLITE_3', 'POSTGRES_18']);

describe.each(databases.eachSupportedId())('on %s', databaseId => {
  async function createAccess() {
    const { knex, store } = await openStore(databases, databaseId);
    const [workspace, other] = [aWorkspace(), aWorkspace()];
    await store.insert(workspace);
    await store.insert(other);
    const clock = { now: new Date('2026-05-01T12:00:00.000Z') };
    const access = new IdeAccessService({
      grants: new IdeGrantStore(knex),
      addresses: new IdeAddresses('http://localhost:7010/w/{workspace}/'),
      now: () => clock.now,
    });
    const ticketFor = async (destination = {}) =>
      new URL((await access.issueTicket(workspace, destination)).url);
    const route = { workspaceId: workspace.id };
    return { access, clock, knex, other, route, ticketFor, workspace };
  }
  const tokenOf = (url: URL) => url.searchParams.get('ticket')!;

  it('opens an IDE once with one ticket', async () => {
    const { access, route, ticketFor, workspace } = await createAccess();
    const url = await ticketFor();
    expect(url.origin + url.pathname).toBe(
      `http://localhost:7010/w/${workspace.id}/`,
    );

    const outcomes = await Promise.all([
      access.redeemTicket(tokenOf(url), route),
      access.redeemTicket(tokenOf(url), route),
    ]);
    const sessions = outcomes.filter(Boolean);
    expect(sessions).toHaveLength(1);
    await expect(
      access.hasSession(sessions[0]!.token, workspace.id),
    ).resolves.toBe(true);
    await expect(
      access.redeemTicket(tokenOf(url), route),
    ).resolves.toBeUndefined();
  });

  it('redirects to the location in the ticket, never to another host', async () => {
    const { ticketFor, workspace } = await createAccess();
    const deep = await ticketFor({ port: 8080, path: '/app?x=1' });
    expect(deep.pathname).toBe(`/w/${workspace.id}--8080/app`);
    expect(deep.searchParams.get('x')).toBe('1');
    const sly = await ticketFor({ path: '//evil.example/' });
    expect(sly.host).toBe('localhost:7010');
    await expect(ticketFor({ path: '/../workspace-other/' })).rejects.toThrow(
      'path: must not lead out of the workspace',
    );
  });

  it('accepts tickets only for their workspace, for a minute', async () => {
    const { access, clock, other, route, ticketFor } = await createAccess();
    const elsewhere = tokenOf(await ticketFor());
    await expect(
      access.redeemTicket(elsewhere, { workspaceId: other.id }),
    ).resolves.toBeUndefined();

    const late = tokenOf(await ticketFor());
    clock.now = new Date('2026-05-01T12:01:01.000Z');
    await expect(access.redeemTicket(late, route)).resolves.toBeUndefined();
  });

  it('accepts sessions only for their workspace, for some hours', async () => {
    const { access, clock, other, workspace } = await createAccess();
    const { token } = await access.openSession(workspace);
    await expect(access.hasSession(token, other.id)).resolves.toBe(false);
    await expect(access.hasSession('made-up', workspace.id)).resolves.toBe(
      false,
    );
    await expect(access.hasSession(token, workspace.id)).resolves.toBe(true);

    clock.now = new Date('2026-05-02T12:00:00.000Z');
    await expect(access.hasSession(token, workspace.id)).resolves.toBe(false);
    await access.cleanUp();
  });

  it('ends everything with a revocation', async () => {
    const { access, knex, route, ticketFor, workspace } = await createAccess();
    const { token } = await access.openSession(workspace);
    await access.hasSession(token, workspace.id);
    const ticket = tokenOf(await ticketFor());
    const told: string[] = [];
    access.onRevoked(id => told.push(id));
    await access.revoke(workspace.id);

    await expect(access.hasSession(token, workspace.id)).resolves.toBe(false);
    await expect(access.redeemTicket(ticket, route)).resolves.toBeUndefined();
    expect(told).toEqual([workspace.id]);
    await expect(knex('ide_grants').select()).resolves.toEqual([]);
  });

  it('stores hashes, not tokens', async () => {
    const { access, knex, workspace } = await createAccess();
    const { token } = await access.openSession(workspace);

    const rows = await knex('ide_grants').select();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0].token_hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
