import { testDatabaseClients } from '@slipway/service-kit/testing';
import { feedbackSuite } from '../__testUtils__/feedbackSuite.ts';
import { note, pathOf, reply } from '../__testUtils__/thread.ts';

describe.each(testDatabaseClients())(
  'what awaits a reply on %s',
  databaseClient => {
    const suite = feedbackSuite(databaseClient);

    it('is listed until somebody replies or changes the status', async () => {
      const { ada, automation, grace } = suite.clients;
      const { id } = (await grace.submit()).body;
      await grace.submit();
      const waiting = async (value = 'true') => {
        const { body } = await ada.get(
          `/api/v1/feedback?awaits_reply=${value}`,
        );
        return body.feedback.map((one: { id: string }) => one.id);
      };
      expect(await waiting('false')).toHaveLength(2);
      await reply(ada, id, 'Which browser?');
      expect(await waiting()).toEqual([]);
      await reply(grace, id, 'Firefox');
      expect(await waiting()).toEqual([id]);
      expect(await waiting('false')).toHaveLength(1);
      await note(ada, id, 'As in #12');
      expect(await waiting()).toEqual([id]);
      await reply(ada, id, 'Thanks');
      expect(await waiting()).toEqual([]);
      await reply(grace, id, 'Any news?');
      await ada.move(id, 'validated');
      expect(await waiting()).toEqual([]);
      // The automation has not read the reply.
      await reply(grace, id, 'It is worse now');
      await automation.post('/api/v1/automation/process-validated');
      expect((await ada.get(pathOf(id))).body.status).toBe('in_progress');
      expect(await waiting()).toEqual([id]);
    });

    it('is listed again once the only answer is deleted, unless the status was changed since', async () => {
      const { ada, automation, grace } = suite.clients;
      const { id } = (await grace.submit()).body;
      await ada.move(id, 'validated');
      suite.clock.now += 1_000;
      await reply(grace, id, 'It is worse now');
      suite.clock.now += 1_000;
      await automation.post('/api/v1/automation/process-validated');
      const answerAndDelete = async () => {
        const { body } = await reply(ada, id, 'Meant for my colleagues');
        await ada.call('DELETE', `${pathOf(id)}/replies/${body.id}`);
        return (await ada.get(pathOf(id))).body;
      };
      expect(await answerAndDelete()).toMatchObject({
        status: 'in_progress',
        awaits_reply: true,
        reply_count: 1,
      });
      suite.clock.now += 1_000;
      await ada.move(id, 'resolved');
      expect(await answerAndDelete()).not.toHaveProperty('awaits_reply');
      // The change of status responded to all but the last one.
      suite.clock.now += 1_000;
      const { body } = await reply(grace, id, 'Is it?');
      expect((await ada.get(pathOf(id))).body.awaits_reply).toBe(true);
      await grace.call('DELETE', `${pathOf(id)}/replies/${body.id}`);
      expect((await ada.get(pathOf(id))).body).not.toHaveProperty(
        'awaits_reply',
      );
    });

    it('stays listed if the status is changed by somebody who has not seen the last reply', async () => {
      const { ada, grace } = suite.clients;
      const { id } = (await grace.submit()).body;
      const move = (status: string, seen: number) =>
        ada.put(`${pathOf(id)}/status`, { status, reply_count: seen });
      await reply(grace, id, 'It is worse now');
      suite.clock.now += 1_000;
      expect((await move('validated', 0)).status).toBe(200);
      expect((await ada.get(pathOf(id))).body).toMatchObject({
        status: 'validated',
        awaits_reply: true,
      });
      // Nor does deleting a note hide it.
      const { body } = await note(ada, id, 'As in #12');
      await ada.call('DELETE', `${pathOf(id)}/replies/${body.id}`);
      expect((await ada.get(pathOf(id))).body.awaits_reply).toBe(true);
      await move('archived', 1);
      expect((await ada.get(pathOf(id))).body).not.toHaveProperty(
        'awaits_reply',
      );
      expect((await move('new', -1)).status).toBe(400);
    });
  },
);
