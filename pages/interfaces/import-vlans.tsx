// Reading VLANs from CSV.
import { importedVlans } from '../../shared/appliance/edits/imported-interfaces.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(importedVlans, [{ href: pagePath('vlans'), label: 'VLANs' }]);
