;;; Run by test_emacs.py in Emacs: what an author does, and what eglot then shows, as a JSON object.  -*- lexical-binding: t -*-

(require 'json)
(require 'seq)

(defun told-until (question)
  "Wait until QUESTION is answered; the answer."
  (let ((end (+ (float-time) 20)) answer)
    (while (not (setq answer (funcall question)))
      (when (> (float-time) end)
        (error "Not so in time: %S; %S" question (buffer-string)))
      (accept-process-output nil 0.02))
    answer))

(defun findings ()
  "Code, line and column, in characters, of everything that is marked."
  (seq-map (lambda (found)
             (goto-char (flymake-diagnostic-beg found))
             (let ((text (flymake-diagnostic-text found)))
               (string-match "\\[\\([A-Z_]+\\)\\]" text)
               (vector (match-string 1 text) (line-number-at-pos) (- (point) (line-beginning-position)))))
           (flymake-diagnostics)))

(defun visit (name)
  "Open a document and wait for what is wrong with it."
  (find-file name)
  ;; There is no command loop to do it: `eglot-ensure' starts a server there, and Flymake its first check.
  (run-hooks 'post-command-hook)
  (when flymake-mode (flymake-start))
  (told-until #'findings))

(defun has (code)
  (seq-find (lambda (found) (equal (aref found 0) code)) (findings)))

(let ((case-fold-search nil)
      answers)
  (push (cons 'draft (visit "draft.rui.json")) answers)
  (push (cons 'mode (symbol-name major-mode)) answers)
  (goto-char (point-min))
  (search-forward "\"Txt\"")
  (replace-match "\"Text\"")
  (eglot--signal-textDocument/didChange) ; Otherwise an idle timer does it, and without a command loop nothing is idle.
  (told-until (lambda () (not (has "UNKNOWN_TYPE"))))
  (push (cons 'changed (findings)) answers)
  (goto-char (point-min))
  (search-forward "\"today")
  (eglot-rename "this-day")
  (eglot-format-buffer)
  (push (cons 'formatted (buffer-string)) answers)
  (push (cons 'wide (visit "wide.rui.json")) answers)
  (eglot-shutdown (eglot-current-server))
  (princ (json-encode answers)))
