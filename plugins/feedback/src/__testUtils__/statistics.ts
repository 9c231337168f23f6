import type { Statistics } from '../api/Feedback';

/** The statistics of four entries. */
export const statistics: Statistics = {
  total: 4,
  byRating: { 1: 1, 2: 0, 3: 0, 4: 1, 5: 2 },
  byCategory: { 'UI/UX': 3, 'CI/CD': 1 },
  byStatus: {
    new: 3,
    validated: 0,
    in_progress: 0,
    resolved: 1,
    archived: 0,
  },
  bySentiment: { positive: 3, neutral: 0, negative: 1 },
  averageRating: 3.75,
  responseRate: 0.25,
};
