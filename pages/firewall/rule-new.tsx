// Adding a firewall rule.
import { newItemPage } from '../units/item-pages.tsx';
import { RULE_PAGES } from './rule-pages.tsx';

export const page = newItemPage(RULE_PAGES);
