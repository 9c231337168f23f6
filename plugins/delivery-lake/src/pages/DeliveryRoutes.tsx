import { Route, Routes } from 'react-router-dom';
import { DeliveryFrame } from './DeliveryFrame';
import { DeploymentsPage } from './Deployments/DeploymentsPage';
import { UnlessEmpty } from './Empty/UnlessEmpty';
import { IncidentsPage } from './Incidents/IncidentsPage';
import { OverviewPage } from './Overview/OverviewPage';
import { UnmatchedPage } from './Unmatched/UnmatchedPage';

/** The plugin's pages beneath `/delivery`. */
export function DeliveryRoutes() {
  const deployments = (
    <UnlessEmpty>
      <DeploymentsPage />
    </UnlessEmpty>
  );
  return (
    <Routes>
      <Route element={<DeliveryFrame />}>
        <Route
          index
          element={
            <UnlessEmpty>
              <OverviewPage />
            </UnlessEmpty>
          }
        />
        <Route path="deployments" element={deployments} />
        <Route path="deployments/:deploymentId" element={deployments} />
        <Route path="incidents" element={<IncidentsPage />} />
        <Route path="unmatched" element={<UnmatchedPage />} />
      </Route>
    </Routes>
  );
}
