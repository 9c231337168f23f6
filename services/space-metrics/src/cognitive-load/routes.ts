import type { Access, ServiceApp } from '@slipway/service-kit';
import type { Attribution } from '../people/Attribution.ts';
import { assessmentForm, loadIndex } from './CognitiveLoad.ts';
import type { DatabaseCognitiveLoadStore } from './storage/DatabaseCognitiveLoadStore.ts';
import {
  AssessmentForm,
  LoadReceipt,
  LoadSubmission,
  toCognitiveLoad,
} from './schemas.ts';

/** Adds the routes that serve the assessment form and accept assessments. */
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
      const { body, caller } = request;
      const load = toCognitiveLoad(body, await attribution.of(caller, body));
      await loads.add(load);
      reply.code(201);
      return {
        status: 'success',
        assessment_id: load.id,
        cognitive_load_index: loadIndex(load.scores),
        message:
          'Your scores are counted. They are only ever shown as part of a group.',
      };
    },
  );
}
