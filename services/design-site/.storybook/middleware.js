// Storybook finds this file by its name and only accepts JavaScript.
import { redirectComponents } from '../src/routes/redirects.ts';

export default router => router.use(redirectComponents);
