// One option: changing it.
import { itemPage } from '../../units/item-pages.tsx';
import { OPTION_PAGES } from './option-pages.tsx';

export const page = itemPage(OPTION_PAGES);
