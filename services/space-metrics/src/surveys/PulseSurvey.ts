import type { Attributed } from '../people/Attribution.ts';
import type { Contribution } from '../records/Contribution.ts';

/** An answered pulse survey. */
export interface PulseSurvey extends Attributed {
  readonly id: string;
  /** 1 to 5. */
  readonly overallSatisfaction: number;
  /** 1 to 5. */
  readonly productivityThisWeek: number;
  /** 0 to 10, if the question was asked. */
  readonly recommend?: number;
  readonly blockers: string;
  readonly wins: string;
}

/** The groups of the employee Net Promoter Score (eNPS). */
type Stance = 'promoter' | 'passive' | 'detractor';

/**
 * Determines the group of a person: by the 0 to 10 question if it was answered (9, 10 are
 * promoters, 7, 8 are passive), otherwise by overall satisfaction (5 is a promoter, 4 is passive).
 */
function stanceOf(
  answers: Pick<PulseSurvey, 'overallSatisfaction' | 'recommend'>,
): Stance {
  const { overallSatisfaction, recommend } = answers;
  const [score, promotes, isPassive] =
    recommend === undefined ? [overallSatisfaction, 5, 4] : [recommend, 9, 7];
  if (score >= promotes) {
    return 'promoter';
  }
  return score >= isPassive ? 'passive' : 'detractor';
}

/** Returns the contribution of a survey to the numbers of its team and day. */
export function contributionOfSurvey(
  survey: Omit<
    PulseSurvey,
    'id' | 'personHash' | 'occurredAt' | 'blockers' | 'wins'
  >,
  person: number,
): Contribution {
  const stance = stanceOf(survey);
  return {
    team: survey.team,
    day: survey.day,
    totals: {
      'survey.count': 1,
      'survey.satisfaction': survey.overallSatisfaction,
      'survey.productivity': survey.productivityThisWeek,
      'survey.promoters': Number(stance === 'promoter'),
      'survey.passives': Number(stance === 'passive'),
      'survey.detractors': Number(stance === 'detractor'),
    },
    presence: { subject: 'survey', person },
  };
}
