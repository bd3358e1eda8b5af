// Adding a scope.
import { newItemPage } from '../../units/item-pages.tsx';
import { SCOPE_PAGES } from './scope-pages.tsx';

export const page = newItemPage(SCOPE_PAGES);
