import type { ServiceApp } from '@slipway/service-kit';
import { Type } from 'typebox';
import type { FeedbackAccess } from '../access.ts';
import type { Automation } from './Automation.ts';

const AutomationQuery = Type.Object({
  feedback_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Processes only this record.',
    }),
  ),
});

const AutomationAnswer = Type.Object({
  processed: Type.Integer(),
  tracker_issues_created: Type.Array(
    Type.Object({
      feedback_id: Type.String(),
      issue_number: Type.Integer(),
      issue_url: Type.String(),
    }),
  ),
  errors: Type.Array(
    Type.Object({
      feedback_id: Type.String(),
      code: Type.String(),
      message: Type.String(),
    }),
  ),
});

/** Adds the route that runs the automation, for its key and for admins. */
export function automationRoutes(
  app: ServiceApp,
  options: { access: FeedbackAccess; automation: Automation },
): void {
  const { access, automation } = options;
  app.post(
    '/api/v1/automation/process-validated',
    {
      config: { access: access.automate },
      schema: {
        tags: ['automation'],
        summary: 'Create issues from validated feedback',
        querystring: AutomationQuery,
        response: { 200: AutomationAnswer },
      },
    },
    async request => {
      const { feedback_id: only } = request.query;
      const { processed, created, errors } = await automation.run(only);
      return {
        processed,
        tracker_issues_created: created.map(({ feedbackId, issue }) => ({
          feedback_id: feedbackId,
          issue_number: issue.number,
          issue_url: issue.url,
        })),
        errors: errors.map(({ feedbackId, code, message }) => ({
          feedback_id: feedbackId,
          code,
          message,
        })),
      };
    },
  );
}
