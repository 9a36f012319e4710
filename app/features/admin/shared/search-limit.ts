/** Most characters of a search term. The database reads no more either (private.turn_page). */
export const searchLimit = 200;
