// One scope: changing it.
import { itemPage } from '../../units/item-pages.tsx';
import { SCOPE_PAGES } from './scope-pages.tsx';

export const page = itemPage(SCOPE_PAGES);
