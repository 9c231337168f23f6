import type { Access, ServiceApp } from '@slipway/service-kit';
import { v7 } from 'uuid';
import type { Attribution } from '../people/Attribution.ts';
import { assessmentForm, loadIndex, scoresOf } from './CognitiveLoad.ts';
import type { DatabaseCognitiveLoadStore } from './storage/DatabaseCognitiveLoadStore.ts';
import { AssessmentForm, LoadReceipt, LoadSubmission } from './schemas.ts';

/** Adds the routes that serve the assessment form and accept its answers. */
export function cognitiveLoadRoutes(
  app: ServiceApp,
  options: {
    access: { submit: Access; read: Access };
    attribution: Attribution;
    loads: DatabaseCognitiveLoadStore;
  },
): void {
  const { access, attribution, loads } = options;

  app.get(
    '/api/v1/cognitive-load/assessment',
    {
      config: { access: access.read },
      schema: {
        tags: ['cognitive load'],
        summary: 'Get the assessment form',
        response: { 200: AssessmentForm },
      },
    },
    async () => assessmentForm,
  );

  app.post(
    '/api/v1/cognitive-load/submit',
    {
      config: { access: access.submit },
      schema: {
        tags: ['cognitive load'],
        summary: 'Submit an assessment of a task',
        body: LoadSubmission,
        response: { 201: LoadReceipt },
      },
    },
    async (request, reply) => {
      const { user_id, team, timestamp, task, scores } = request.body;
      const attributed = await attribution.of(request.caller, {
        user_id,
        team,
        timestamp,
      });
      const id = `tlx_${v7()}`;
      const known = scoresOf(scores);
      await loads.add({ ...attributed, id, task, scores: known });
      reply.code(201);
      return {
        status: 'success',
        assessment_id: id,
        cognitive_load_index: loadIndex(known),
        message:
          'Your scores are counted. They are only ever shown as part of a group.',
      };
    },
  );
}
