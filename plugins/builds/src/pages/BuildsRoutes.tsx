import { Route, Routes } from 'react-router-dom';
import { BuildPage } from './Build/BuildPage';
import { JobPage } from './Job/JobPage';
import { JobsPage } from './Jobs/JobsPage';

/** The plugin's pages beneath `/builds`. */
export function BuildsRoutes() {
  return (
    <Routes>
      <Route index element={<JobsPage />} />
      <Route path=":job" element={<JobPage />} />
      <Route path=":job/:number" element={<BuildPage />} />
    </Routes>
  );
}
