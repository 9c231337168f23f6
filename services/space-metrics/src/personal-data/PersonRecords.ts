import type { Scores } from '../cognitive-load/CognitiveLoad.ts';

/** All data stored about one person, for that person. Times are UTC. */
export interface PersonRecords {
  surveys: {
    survey_id: string;
    timestamp: string;
    team: string;
    responses: {
      overall_satisfaction: number;
      productivity_this_week: number;
      recommend?: number;
      blockers: string;
      wins: string;
    };
  }[];
  friction_logs: {
    friction_id: string;
    timestamp: string;
    team: string;
    category: string;
    severity: string;
    time_lost_minutes: number;
    description: string;
  }[];
  cognitive_loads: {
    assessment_id: string;
    timestamp: string;
    team: string;
    task: string;
    scores: Scores;
  }[];
  activity: {
    source: string;
    id: string;
    kind: string;
    timestamp: string;
    team: string;
    count: number;
  }[];
}

/** How many records of each kind. */
export type RecordCounts = Record<keyof PersonRecords, number>;
