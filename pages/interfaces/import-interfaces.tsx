// Reading interfaces from CSV.
import { importedInterfaces } from '../../shared/appliance/edits/imported-interfaces.ts';
import { pagePath } from '../../shared/ground/page-paths.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(importedInterfaces, [{ href: pagePath('interfaces'), label: 'Interfaces' }]);
