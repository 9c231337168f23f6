import { testDatabaseClients } from '@slipway/service-kit/testing';
import { errorAnswer, feedbackSuite } from '../__testUtils__/feedbackSuite.ts';
import {
  changePublicNote,
  closeVoting,
  openVoting,
  pathOf,
} from '../__testUtils__/thread.ts';

const MINUTE_MS = 60_000;

describe.each(testDatabaseClients())('public notes on %s', databaseClient => {
  const suite = feedbackSuite(databaseClient);
  const noteOf = async (id: string) => {
    const { body } = await suite.clients.grace.get(`${pathOf(id)}/voting`);
    return body.public_note;
  };

  it('are shown to everyone with the time at which they were written', async () => {
    const { ada, nobody, grace } = suite.clients;
    const { id } = (await nobody.submit()).body;
    const opened = await openVoting(ada, id, 'A', ' Planned for May ');
    const note = {
      text: 'Planned for May',
      written_at: '2026-11-20T12:00:00.000Z',
    };
    expect(opened.body.public_note).toEqual(note);
    const listed = await grace.get('/api/v1/feedback/voting');
    expect(listed.body.feedback).toMatchObject([{ public_note: note }]);
    const detail = await ada.get(pathOf(id));
    expect(detail.body.voting).toEqual({
      title: 'A',
      open: true,
      public_note: note,
    });
    suite.clock.now += MINUTE_MS;
    // A new title or the same text does not change the note or its time.
    await openVoting(ada, id, 'B');
    await openVoting(ada, id, 'B', 'Planned for May');
    expect(await noteOf(id)).toEqual(note);
    await openVoting(ada, id, 'B', 'Planned for June');
    expect(await noteOf(id)).toEqual({
      text: 'Planned for June',
      written_at: '2026-11-20T12:01:00.000Z',
    });
    await openVoting(ada, id, 'B', ' ');
    expect(await noteOf(id)).toBeUndefined();
  });

  it('are hidden with the title once it is closed for voting', async () => {
    const { ada, grace } = suite.clients;
    const { id } = (await grace.submit()).body;
    await openVoting(ada, id, 'A', 'Planned for May');
    await closeVoting(ada, id);
    expect((await grace.get(pathOf(id))).body.voting).toEqual({ open: false });
    expect((await ada.get(pathOf(id))).body.voting).toMatchObject({
      public_note: { text: 'Planned for May' },
    });
  });

  it('can be changed without the title, unless the entry was closed in the meantime', async () => {
    const { ada, nobody } = suite.clients;
    const { id } = (await nobody.submit()).body;
    const conflict = errorAnswer(409, 'CONFLICT');
    expect(await changePublicNote(ada, id, 'Soon')).toMatchObject(conflict);
    await openVoting(ada, id, 'A much faster search');
    expect(await changePublicNote(ada, id, 'Soon')).toMatchObject({
      status: 200,
      body: { title: 'A much faster search', public_note: { text: 'Soon' } },
    });
    await closeVoting(ada, id);
    expect(await changePublicNote(ada, id, 'Later')).toMatchObject(conflict);
    expect((await ada.get(pathOf(id))).body.voting).toMatchObject({
      open: false,
      public_note: { text: 'Soon' },
    });
  });

  it('are not replaced by an admin who has not seen the current one', async () => {
    const { ada, nobody } = suite.clients;
    const { id } = (await nobody.submit()).body;
    await openVoting(ada, id, 'A');
    const change = (text: string, seen: string) =>
      ada.put(`${pathOf(id)}/voting`, { public_note: text, seen_note: seen });
    expect((await change('Soon', '')).status).toBe(200);
    // As if the response had been lost.
    expect((await change('Soon', '')).status).toBe(200);
    expect(await change('Later', '')).toMatchObject(
      errorAnswer(409, 'CONFLICT'),
    );
    expect(await noteOf(id)).toMatchObject({ text: 'Soon' });
    expect((await change('Later', 'Soon')).status).toBe(200);
    expect(await noteOf(id)).toMatchObject({ text: 'Later' });
  });

  it('have at most 500 characters, and are written by admins', async () => {
    const { ada, grace, nobody } = suite.clients;
    const { id } = (await nobody.submit()).body;
    expect(await openVoting(ada, id, 'A', 'x'.repeat(501))).toMatchObject(
      errorAnswer(400, 'INVALID_REQUEST', { field: 'public_note' }),
    );
    expect((await openVoting(grace, id, 'A', 'x')).status).toBe(403);
    expect((await openVoting(nobody, id, 'A', 'x')).status).toBe(401);
    expect((await openVoting(ada, 'fb_none', 'A', 'x')).status).toBe(404);
  });
});
