/** The button that takes a reply back until it leaves. */
export function TakeBack({ action, reply }: { action: string; reply: string }) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="reply" value={reply} />
      <button name="intent" value="takeBack" className="link-button">
        Take it back
      </button>
    </form>
  );
}
