// Asks before a reservation is deleted.
import { deleteItemPage } from '../../units/item-pages.tsx';
import { RESERVATION_PAGES } from './reservation-pages.tsx';

export const page = deleteItemPage(RESERVATION_PAGES);
