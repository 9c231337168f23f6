import type { Access, ServiceApp } from '@slipway/service-kit';
import { v7 } from 'uuid';
import type { Attribution } from '../people/Attribution.ts';
import type { DatabaseSurveyStore } from './storage/DatabaseSurveyStore.ts';
import { PulseReceipt, PulseSubmission } from './schemas.ts';

/** Takes pulse surveys. */
export function surveyRoutes(
  app: ServiceApp,
  options: {
    access: Access;
    attribution: Attribution;
    surveys: DatabaseSurveyStore;
  },
): void {
  const { access, attribution, surveys } = options;
  app.post(
    '/api/v1/surveys/pulse/submit',
    {
      config: { access },
      schema: {
        tags: ['surveys'],
        summary: 'Answer a pulse survey',
        body: PulseSubmission,
        response: { 201: PulseReceipt },
      },
    },
    async (request, reply) => {
      const { user_id, team, timestamp, responses } = request.body;
      const attributed = await attribution.of(request.caller, {
        user_id,
        team,
        timestamp,
      });
      const id = `survey_${v7()}`;
      await surveys.add({
        ...attributed,
        id,
        overallSatisfaction: responses.overall_satisfaction,
        productivityThisWeek: responses.productivity_this_week,
        ...(responses.recommend !== undefined && {
          recommend: responses.recommend,
        }),
        blockers: responses.blockers ?? '',
        wins: responses.wins ?? '',
      });
      reply.code(201);
      return {
        status: 'success',
        survey_id: id,
        message:
          'Your answers are counted. They are only ever shown as part of a group.',
      };
    },
  );
}
