import { testDatabaseClients } from '@slipway/service-kit/testing';
import { feedbackSuite } from '../__testUtils__/feedbackSuite.ts';

const SUMMARY = `/api/v1/entities/${encodeURIComponent('component:default/shop')}/summary`;
const TIMELINE = SUMMARY.replace('summary', 'timeline');

describe.each(testDatabaseClients())(
  'feedback about entities on %s',
  client => {
    const suite = feedbackSuite(client);

    beforeEach(async () => {
      suite.portal.entities = [
        { kind: 'Component', metadata: { name: 'shop', title: 'Shop' } },
      ];
      const { ada, grace, nobody } = suite.clients;
      await grace.submit({
        rating: 2,
        message: 'Secret words of grace',
        context: { component: 'Shop' },
      });
      await ada.submit({
        rating: 5,
        message: 'Secret words of ada',
        context: {
          page: 'http://localhost:3000/catalog/default/component/shop?x=1',
        },
      });
      await nobody.submit({ rating: 1, context: { component: 'till' } });
    });

    it('reports count and average rating to everyone', async () => {
      const { body } = await suite.clients.grace.get(SUMMARY);
      expect(body).toMatchObject({
        state: 'good',
        page: '/feedback/statistics',
        facts: [
          { id: 'entries', value: 2 },
          { id: 'rating', value: 3.5, unit: 'of 5' },
          { id: 'open', value: 2 },
        ],
        needs: [
          {
            kind: 'feedback-new',
            title: '2 new feedback entries about Shop',
            detail: 'Lowest rating 2 of 5',
            tone: 'warning',
            page: '/feedback/statistics',
            action: 'View statistics',
            entityRef: 'component:default/shop',
          },
        ],
      });
    });

    it('leads those who triage to the new entries', async () => {
      const { body } = await suite.clients.ada.get(SUMMARY);
      expect(body.needs).toMatchObject([
        {
          page: '/feedback/triage?status=new&component=component%3Adefault%2Fshop',
          action: 'View feedback',
        },
      ]);
    });

    it('lists individual entries only for admins and their senders, without messages', async () => {
      const { ada, grace } = suite.clients;
      const own = await grace.get(TIMELINE);
      expect(own.body.items).toEqual([
        {
          id: expect.stringMatching(/^feedback:fb_/),
          kind: 'feedback',
          at: expect.any(String),
          title: 'UI/UX: 2 of 5',
          state: 'New',
          tone: 'bad',
          page: expect.stringMatching(/^\/feedback\/mine\/fb_/),
          neighbours: [],
        },
      ]);
      const all = await ada.get(TIMELINE);
      expect(all.body.items).toHaveLength(2);
      expect([own.body.ownOnly, all.body.ownOnly]).toEqual([true, undefined]);
      expect(JSON.stringify([own.body, all.body])).not.toContain('Secret');
    });

    it('names the component on the timeline of a system', async () => {
      suite.portal.entities = [
        { kind: 'System', metadata: { name: 'retail' } },
        {
          kind: 'Component',
          metadata: { name: 'shop' },
          relations: [{ type: 'partOf', targetRef: 'system:default/retail' }],
        },
      ];
      const { body } = await suite.clients.grace.get(
        TIMELINE.replace(
          'component%3Adefault%2Fshop',
          'system:default%2Fretail',
        ),
      );
      expect(body.items).toMatchObject([
        { title: 'UI/UX: 2 of 5', entityRef: 'component:default/shop' },
      ]);
    });

    it('counts everything that is open, however much and old', async () => {
      const past = Array.from({ length: 120 }, (_, index) => ({
        key: `old-${index}`,
        created_at: '2026-09-01T10:00:00Z',
        rating: 3,
        category: 'Other',
        message: 'An old wish',
        component: 'component:default/shop',
        status: index < 110 ? 'new' : 'resolved',
      }));
      await suite.clients.ada.call('POST', '/api/v1/feedback/imports', {
        feedback: past,
      });
      const { body } = await suite.clients.grace.get(SUMMARY);
      expect(body.facts[2]).toMatchObject({ id: 'open', value: 112 });
      expect(body.needs).toMatchObject([
        { title: '112 new feedback entries about Shop' },
      ]);
      const list =
        '/api/v1/feedback?status=new&component=component:default/shop';
      const listed = await suite.clients.ada.get(list);
      expect(listed.body.pagination.total).toBe(112);
    });

    it('keeps the need while entries are triaged, and has another one for more', async () => {
      const { ada } = suite.clients;
      const needs = async () => (await ada.get(SUMMARY)).body.needs;
      const [before] = await needs();
      const { body } = await ada.get(TIMELINE);
      const [newest] = body.items;
      await ada.move(newest.id.replace('feedback:', ''), 'archived');
      const [after] = await needs();
      expect(after).toMatchObject({
        key: before.key,
        title: 'New feedback about Shop',
        detail: 'Lowest rating 2 of 5',
      });
      expect(after.page).not.toContain(newest.id.replace('feedback:', ''));
      await suite.clients.nobody.submit({ context: { component: 'shop' } });
      expect((await needs())[0].key).not.toBe(before.key);
    });

    it('keeps the need while old entries are triaged', async () => {
      const { ada } = suite.clients;
      suite.portal.entities = [
        { kind: 'Component', metadata: { name: 'attic' } },
      ];
      await ada.call('POST', '/api/v1/feedback/imports', {
        feedback: ['2026-08-01T10:00:00Z', '2026-09-01T10:00:00Z'].map(
          created_at => ({
            key: created_at,
            created_at,
            rating: 3,
            category: 'Other',
            message: 'An old wish',
            component: 'component:default/attic',
          }),
        ),
      });
      const needs = async () =>
        (await ada.get(SUMMARY.replace('shop', 'attic'))).body.needs;
      const [{ key }] = await needs();
      const list =
        '/api/v1/feedback?status=new&component=component:default/attic';
      const [newest] = (await ada.get(list)).body.feedback;
      await ada.move(newest.id, 'archived');
      expect(await needs()).toMatchObject([
        { key, title: expect.stringMatching(/^New feedback about/) },
      ]);
    });

    it('drops the need once feedback is answered', async () => {
      const { ada } = suite.clients;
      const { body } = await ada.get(TIMELINE);
      for (const { id } of body.items) {
        await ada.move(id.replace('feedback:', ''), 'archived');
      }
      const summary = await ada.get(SUMMARY);
      expect(summary.body.needs).toEqual([]);
      expect(summary.body.facts[2]).toMatchObject({ id: 'open', value: 0 });
    });

    it('requires a session', async () => {
      for (const path of [SUMMARY, TIMELINE]) {
        expect((await suite.clients.nobody.get(path)).status).toBe(401);
        expect((await suite.clients.automation.get(path)).status).toBe(401);
      }
    });
  },
);
