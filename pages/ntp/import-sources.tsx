// Reading NTP sources from CSV.
import { pagePath } from '../../shared/ground/page-paths.ts';
import { ntpSources } from '../../shared/services/ntp/sources.ts';
import { importPage } from '../units/import-page.tsx';

export const page = importPage(ntpSources, [{ href: pagePath('ntp'), label: 'NTP' }]);
