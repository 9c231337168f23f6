import { z } from 'zod';

/** The project as every hook of GitLab gives it. */
export const project = z.object({
  path_with_namespace: z.string().min(1),
  default_branch: z.string().nullish(),
});
