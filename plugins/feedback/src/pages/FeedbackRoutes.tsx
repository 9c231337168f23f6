import { Route, Routes } from 'react-router-dom';
import { FeedbackFrame } from './FeedbackFrame';
import { IssuePage } from './Issue/IssuePage';
import { MinePage } from './Mine/MinePage';
import { StatisticsPage } from './Statistics/StatisticsPage';
import { TriagePage } from './Triage/TriagePage';

/** The plugin's pages beneath `/feedback`. */
export function FeedbackRoutes() {
  return (
    <Routes>
      <Route element={<FeedbackFrame />}>
        <Route index element={<MinePage />} />
        <Route path="mine/:id" element={<MinePage />} />
        <Route path="triage" element={<TriagePage />} />
        <Route path="triage/:id" element={<TriagePage />} />
        <Route path="statistics" element={<StatisticsPage />} />
      </Route>
      <Route path="issues/:number" element={<IssuePage />} />
    </Routes>
  );
}
