import type { Translate } from '../translation';

/** What a number rests on: "12 answers". */
export function samplesText(
  t: Translate,
  sample: string,
  count: number,
): string {
  switch (sample) {
    case 'responses':
      return t('samples.responses', { count });
    case 'deployments':
      return t('samples.deployments', { count });
    case 'changes':
      return t('samples.changes', { count });
    case 'builds':
      return t('samples.builds', { count });
    case 'joiners':
      return t('samples.joiners', { count });
    case 'assessments':
      return t('samples.assessments', { count });
    default:
      return t('samples.people', { count });
  }
}
