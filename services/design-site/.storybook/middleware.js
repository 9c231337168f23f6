// Storybook loads this file by its name, and only as JavaScript.
import { redirectComponents } from '../src/routes/redirects.ts';

export default router => router.use(redirectComponents);
