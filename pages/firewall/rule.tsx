// One firewall rule: changing it.
import { itemPage } from '../units/item-pages.tsx';
import { RULE_PAGES } from './rule-pages.tsx';

export const page = itemPage(RULE_PAGES);
