import { z } from "zod";
import { countCharacters } from "~/lib/characters";

/** Text on one line. Rejects `{{` and `}}`, because policies and emails fill in placeholders. */
export const line = (instruction: string, most: number) =>
  z
    .string(instruction)
    .trim()
    .min(1, instruction)
    .refine((text) => countCharacters(text) <= most, `${instruction}, in at most ${most} characters`)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, `${instruction}, on one line`)
    .refine((text) => !/\{\{|\}\}/.test(text), `${instruction}, without {{ and }}`);

/** Text that cannot be a placeholder: programs read it, or it is a claim. */
export const publicLine = (instruction: string, most: number) =>
  line(instruction, most).refine((text) => !/[[\]]|\.example\b/.test(text), `${instruction}, and no placeholder`);
