/** Folders of a list, one of which is open. */
export interface FolderTabsProps {
  label: string;
  folders: readonly { name: string; label: string; address: string; count: number | null }[];
  current: string;
}

/** Links, not tabs in ARIA's sense: each leads to a page of its own. */
export function FolderTabs({ label, folders, current }: FolderTabsProps) {
  return (
    <nav aria-label={label}>
      <ul className="folder-tabs">
        {folders.map((folder) => (
          <li key={folder.name}>
            <a href={folder.address} aria-current={folder.name === current ? "page" : undefined}>
              {folder.count === null ? folder.label : `${folder.label} (${folder.count})`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
