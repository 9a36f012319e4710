/** For how many days backups are kept: the setting BACKUP_KEEP_DAYS, which the server and the operator's commands read. */
export const backupDays = { unlessSet: 30, fewest: 1, most: 3650 } as const;
