// Asks before a host is deleted.
import { deleteItemPage } from '../units/item-pages.tsx';
import { HOST_PAGES } from './host-pages.tsx';

export const page = deleteItemPage(HOST_PAGES);
