import { dateOf, type Organisation } from '../Organisation.ts';

/** Something that people ask of the service. */
export interface Question {
  /** The question as the report prints it. */
  what: string;
  /** All teams when left out. */
  team?: string;
  /** Days since the epoch, both inclusive. */
  from: number;
  to: number;
}

/** What is asked, about the newest days. */
export function questionsOf({ lastDay }: Organisation): Question[] {
  const newest = (days: number) => ({ from: lastDay - days + 1, to: lastDay });
  return [
    { what: 'One team, 30 days', team: 'team-1', ...newest(30) },
    { what: 'All teams, 30 days', ...newest(30) },
    { what: 'One team, 365 days', team: 'team-1', ...newest(365) },
  ];
}

/** The path that answers it, with all five dimensions. */
export function pathOf({ team, from, to }: Question): string {
  const query = new URLSearchParams({
    start_date: dateOf(from),
    end_date: dateOf(to),
    ...(team && { team }),
  });
  return `/api/v1/metrics/space?${query}`;
}
