import { Route, Routes } from 'react-router-dom';
import { AccessPage } from './Access/AccessPage';
import { FlagPage } from './Flag/FlagPage';
import { FlagsFrame } from './FlagsFrame';
import { ListPage } from './List/ListPage';

/** The plugin's pages beneath `/flags`. */
export function FlagRoutes() {
  return (
    <Routes>
      <Route element={<FlagsFrame />}>
        <Route index element={<ListPage />} />
        <Route path="api-access" element={<AccessPage />} />
      </Route>
      <Route path="flag/:name" element={<FlagPage />} />
    </Routes>
  );
}
