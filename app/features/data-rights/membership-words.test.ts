import { expect, it } from "vitest";
import { nameMemberChoices } from "./membership-words";

it("names the choices of a membership and of a waiting wish, and leaves texts as typed", () => {
  const choices = { kind: "family-office", fields: ["ai", "devices"], check_size: "over-2m", qualification: "no" };
  const words = {
    kind: "Family office",
    fields: ["Clinical and administrative AI", "Devices and diagnostics"],
    check_size: "Over $2 million",
    qualification: "I don’t qualify, or I’m not sure",
  };
  const stored = { ...choices, name: "angel", place: null, state: "asked", pending: { ...choices, company: "fund" } };
  expect(nameMemberChoices(stored)).toEqual({
    ...words,
    name: "angel",
    place: null,
    state: "Not confirmed",
    pending: { ...words, company: "fund" },
  });
});

it("passes on a missing membership, missing choices and unknown keys", () => {
  expect(nameMemberChoices(null)).toBeNull();
  expect(nameMemberChoices({ kind: null, fields: [], check_size: "1" })).toEqual({
    kind: null,
    fields: [],
    check_size: "1",
  });
});
