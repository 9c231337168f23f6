import { z } from 'zod';

/** What every repository event of GitHub carries. */
export const repository = z.object({
  full_name: z.string().min(1),
  default_branch: z.string().min(1),
});

export const user = z.object({ login: z.string() });
