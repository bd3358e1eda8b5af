// One directory group: changing it.
import { itemPage } from '../units/item-pages.tsx';
import { GROUP_PAGES } from './group-pages.tsx';

export const page = itemPage(GROUP_PAGES);
